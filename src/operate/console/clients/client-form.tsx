import { useConsole } from "../context.ts";
import { ChoiceField, LinesField, TextField } from "../parts/form/fields.tsx";
import { RoomsField } from "../parts/form/rooms-field.tsx";
import { entryOf, type Form } from "../parts/form/use-form.ts";
import { algorithms, authMethods, type ClientValues, profiles, rememberedLogins } from "./client-values.ts";

interface ClientFieldsProps {
  readonly form: Form<ClientValues>;
  readonly isNew: boolean;
}

/** What a client has: first what every one needs, the rest behind a fold. */
export function ClientFields({ form, isNew }: ClientFieldsProps) {
  const { speech } = useConsole();
  const usual = { value: "", text: speech.text("form.default") };
  const yesOrNo = [
    usual,
    { value: "yes", text: speech.text("form.yes") },
    { value: "no", text: speech.text("form.no") },
  ];
  const optionsOf = (choices: readonly string[]) => [usual, ...choices.map((each) => ({ value: each, text: each }))];
  const lasting = { errors: entryOf(form, "rooms").errors.concat(roomErrors(form)) };
  return (
    <>
      <ChoiceField
        id="client-profile"
        label={speech.text("client.profile")}
        hint={speech.text("client.profile.hint")}
        entry={entryOf(form, "profile")}
        options={profiles.map((each) => ({ value: each, text: speech.text(`profile.${each}`) }))}
      />
      {isNew && (
        <TextField
          id="client-id"
          label={speech.text("client.id")}
          hint={speech.text("client.id.hint")}
          entry={entryOf(form, "client_id")}
          field={{ maxLength: 128 }}
        />
      )}
      <LinesField
        id="client-redirect-uris"
        label={speech.text("client.redirect_uris")}
        hint={speech.text("client.redirect_uris.hint")}
        entry={entryOf(form, "redirect_uris")}
      />
      <RoomsField
        id="client-rooms"
        label={speech.text("rooms")}
        hint={speech.text("client.rooms.hint")}
        entry={{ ...entryOf(form, "rooms"), ...lasting }}
      />
      <details>
        <summary>{speech.text("form.more")}</summary>
        <TextField
          id="client-initiate"
          label={speech.text("client.initiate_login_uri")}
          hint={speech.text("client.initiate_login_uri.hint")}
          entry={entryOf(form, "initiate_login_uri")}
          field={{ dir: "ltr" }}
        />
        <ChoiceField
          id="client-auth"
          label={speech.text("client.auth_method")}
          hint={speech.text("client.auth_method.hint")}
          entry={entryOf(form, "token_endpoint_auth_method")}
          options={optionsOf(authMethods)}
        />
        <TextField
          id="client-jwks"
          label={speech.text("client.jwks_uri")}
          hint={speech.text("client.jwks_uri.hint")}
          entry={entryOf(form, "jwks_uri")}
          field={{ dir: "ltr" }}
        />
        <LinesField
          id="client-targets"
          label={speech.text("client.target_link_uris")}
          hint={speech.text("client.target_link_uris.hint")}
          entry={entryOf(form, "target_link_uris")}
        />
        <LinesField
          id="client-post-logout"
          label={speech.text("client.post_logout_redirect_uris")}
          entry={entryOf(form, "post_logout_redirect_uris")}
        />
        <TextField
          id="client-backchannel"
          label={speech.text("client.backchannel_logout_uri")}
          entry={entryOf(form, "backchannel_logout_uri")}
          field={{ dir: "ltr" }}
        />
        <TextField
          id="client-timeout"
          label={speech.text("client.login_timeout")}
          hint={speech.text("client.login_timeout.hint")}
          entry={entryOf(form, "login_timeout")}
        />
        <ChoiceField
          id="client-remembered"
          label={speech.text("client.remembered_logins")}
          entry={entryOf(form, "remembered_logins")}
          options={optionsOf(rememberedLogins)}
        />
        <ChoiceField
          id="client-pkce"
          label={speech.text("client.require_pkce")}
          entry={entryOf(form, "require_pkce")}
          options={yesOrNo}
        />
        <ChoiceField
          id="client-refresh"
          label={speech.text("client.refresh_tokens")}
          entry={entryOf(form, "refresh_tokens")}
          options={yesOrNo}
        />
        <ChoiceField
          id="client-alg"
          label={speech.text("client.alg")}
          entry={entryOf(form, "id_token_signed_response_alg")}
          options={optionsOf(algorithms)}
        />
      </details>
    </>
  );
}

/** The API has `room` for one and `rooms` for several: what is said of either is said here. */
function roomErrors({ faults }: Form<ClientValues>): string[] {
  return faults.filter(({ path }) => path === "room").map(({ message }) => message);
}
