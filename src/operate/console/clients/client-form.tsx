import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { ChoiceField, LinesField, TextField } from "../parts/form/fields.tsx";
import { RoomsField } from "../parts/form/rooms-field.tsx";
import { entryOf, type Form } from "../parts/form/use-form.ts";
import { algorithms, authMethods, type ClientValues, profiles, rememberedLogins } from "./client-values.ts";
import { texts } from "./texts.ts";

interface ClientFieldsProps {
  readonly form: Form<ClientValues>;
  readonly isNew: boolean;
}

/** What a client has: first what every one needs, the rest behind a fold. */
export function ClientFields({ form, isNew }: ClientFieldsProps) {
  const { speech } = useConsole();
  const usual = { value: "", text: speech.text(frameTexts.form.default) };
  const yesOrNo = [
    usual,
    { value: "yes", text: speech.text(frameTexts.form.yes) },
    { value: "no", text: speech.text(frameTexts.form.no) },
  ];
  const optionsOf = (choices: readonly string[]) => [usual, ...choices.map((each) => ({ value: each, text: each }))];
  const lasting = { errors: entryOf(form, "rooms").errors.concat(roomErrors(form)) };
  return (
    <>
      <ChoiceField
        id="client-profile"
        label={speech.text(texts.profile)}
        hint={speech.text(texts.profileHint)}
        entry={entryOf(form, "profile")}
        options={profiles.map((each) => ({ value: each, text: speech.text(texts.profiles[each]) }))}
      />
      {isNew && (
        <TextField
          id="client-id"
          label={speech.text(texts.client)}
          hint={speech.text(texts.idHint)}
          entry={entryOf(form, "client_id")}
          field={{ maxLength: 128 }}
        />
      )}
      <LinesField
        id="client-redirect-uris"
        label={speech.text(texts.redirectUris)}
        hint={speech.text(texts.redirectUrisHint)}
        entry={entryOf(form, "redirect_uris")}
      />
      <RoomsField
        id="client-rooms"
        label={speech.text(frameTexts.rooms)}
        hint={speech.text(texts.roomsHint)}
        entry={{ ...entryOf(form, "rooms"), ...lasting }}
      />
      <details>
        <summary>{speech.text(frameTexts.form.more)}</summary>
        <TextField
          id="client-initiate"
          label={speech.text(texts.initiateLoginUri)}
          hint={speech.text(texts.initiateLoginUriHint)}
          entry={entryOf(form, "initiate_login_uri")}
          field={{ dir: "ltr" }}
        />
        <ChoiceField
          id="client-auth"
          label={speech.text(texts.authMethod)}
          hint={speech.text(texts.authMethodHint)}
          entry={entryOf(form, "token_endpoint_auth_method")}
          options={optionsOf(authMethods)}
        />
        <TextField
          id="client-jwks"
          label={speech.text(texts.jwksUri)}
          hint={speech.text(texts.jwksUriHint)}
          entry={entryOf(form, "jwks_uri")}
          field={{ dir: "ltr" }}
        />
        <LinesField
          id="client-targets"
          label={speech.text(texts.targetLinkUris)}
          hint={speech.text(texts.targetLinkUrisHint)}
          entry={entryOf(form, "target_link_uris")}
        />
        <LinesField
          id="client-post-logout"
          label={speech.text(texts.postLogoutRedirectUris)}
          entry={entryOf(form, "post_logout_redirect_uris")}
        />
        <TextField
          id="client-backchannel"
          label={speech.text(texts.backchannelLogoutUri)}
          entry={entryOf(form, "backchannel_logout_uri")}
          field={{ dir: "ltr" }}
        />
        <TextField
          id="client-timeout"
          label={speech.text(texts.loginTimeout)}
          hint={speech.text(texts.loginTimeoutHint)}
          entry={entryOf(form, "login_timeout")}
        />
        <ChoiceField
          id="client-remembered"
          label={speech.text(texts.rememberedLogins)}
          entry={entryOf(form, "remembered_logins")}
          options={optionsOf(rememberedLogins)}
        />
        <ChoiceField
          id="client-pkce"
          label={speech.text(texts.requirePkce)}
          entry={entryOf(form, "require_pkce")}
          options={yesOrNo}
        />
        <ChoiceField
          id="client-refresh"
          label={speech.text(texts.refreshTokens)}
          entry={entryOf(form, "refresh_tokens")}
          options={yesOrNo}
        />
        <ChoiceField
          id="client-alg"
          label={speech.text(texts.alg)}
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
