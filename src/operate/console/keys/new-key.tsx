import { take } from "../api/api.ts";
import { useSubmission } from "../api/requests.ts";
import { useConsole } from "../frame/console.ts";
import { faultsOf } from "../parts/form/faults.ts";
import { ChoiceField } from "../parts/form/fields.tsx";
import { FormFrame } from "../parts/form/form-frame.tsx";
import { choiceOf } from "../parts/form/members.ts";
import { entryOf, useForm } from "../parts/form/use-form.ts";
import { texts } from "./texts.ts";

interface NewKeyProps {
  readonly issuers: readonly string[];
  onMade(): Promise<void>;
  onCancel(): void;
}

const purposes = ["signing", "tickets", "cookies", "draw"] as const;
const algorithms = ["RS256", "PS256", "ES256"] as const;

/** A key signs nothing before it is staged and promoted. */
export function NewKey({ issuers, onMade, onCancel }: NewKeyProps) {
  const { api, speech } = useConsole();
  const { isBusy, problem, submit } = useSubmission();
  const form = useForm({ purpose: "signing", alg: "RS256", issuer: issuers[0] ?? "" }, faultsOf(problem));
  const { purpose: wanted, alg: algorithm, issuer } = form.values;

  const make = async () => {
    const purpose = choiceOf(purposes, wanted) ?? "signing";
    const alg = purpose === "signing" ? choiceOf(algorithms, algorithm) : undefined;
    const body = { purpose, ...(alg && { alg }), ...(issuers.length > 1 && { issuer }) };
    const made = await submit(() => take(api.ask.POST("/admin/keys", { body })));
    if (made !== null) await onMade();
  };
  return (
    <FormFrame
      label={speech.text(texts.signing.newKey)}
      go={speech.text(texts.signing.create)}
      isBusy={isBusy}
      problem={problem}
      paths={["purpose", "alg", "issuer"]}
      onGo={() => void make()}
      onCancel={onCancel}
    >
      <ChoiceField
        id="key-purpose"
        label={speech.text(texts.signing.purpose)}
        entry={entryOf(form, "purpose")}
        options={purposes.map((each) => ({ value: each, text: speech.text(texts.signing.purposes[each]) }))}
      />
      {wanted === "signing" && (
        <ChoiceField
          id="key-alg"
          label={speech.text(texts.signing.alg)}
          entry={entryOf(form, "alg")}
          options={algorithms.map((each) => ({ value: each, text: each }))}
        />
      )}
      {issuers.length > 1 && (
        <ChoiceField
          id="key-issuer"
          label={speech.text(texts.signing.issuer)}
          entry={entryOf(form, "issuer")}
          options={issuers.map((each) => ({ value: each, text: each }))}
        />
      )}
    </FormFrame>
  );
}
