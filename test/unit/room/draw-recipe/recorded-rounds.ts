/** Rounds as quicknet published them, on 23 August 2023; https://api.drand.sh/{chain hash}/public/{round}. */
export const recordedRounds = [
  {
    round: 1_000,
    signature: "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
    randomness: "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd",
  },
  {
    round: 1_001,
    signature: "b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03f73896b25883abf2853d10337fb8fa41",
    randomness: null,
  },
  {
    round: 1_002,
    signature: "ab066f9c12dd6de1336fca0f925192fb0c72a771c3e4c82ede1fd362c1a770f9eb05843c6308ce2530b53a99c0281a6e",
    randomness: null,
  },
  {
    round: 1_003,
    signature: "b104c82771698f45fd8dcfead083d482694c31ab519bcef077f126f3736fe98c8392fd5d45d88aeb76b56ccfcb0296d7",
    randomness: null,
  },
] as const;
