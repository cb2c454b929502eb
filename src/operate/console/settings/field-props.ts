import type { Setting } from "./setting.ts";

export interface FieldProps {
  readonly setting: Setting;
  readonly id: string;
  readonly text: string;
  /** Of local times. */
  readonly zone: string;
  readonly isFaulty: boolean;
  /** Ids of what is said about it. */
  readonly describedBy: string;
  onWritten(text: string): void;
}
