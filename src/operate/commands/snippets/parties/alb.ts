import type { Snippet } from "../values.ts";

/** Terraform, as in docs/relying-parties/alb.md: a rule for each room after the first, which has all other paths. */
export const alb: Snippet = ({ issuer, clientId, rooms: [, ...others] }) => {
  const authenticate = (name: string, priority: number, paths: string, more: readonly string[] = []) =>
    rule(name, priority, paths, [...loginAt(issuer, clientId), ...(more.length > 0 ? ["", ...more] : [])]);
  return [
    rule("never_queue", 10, '"/health", "/webhooks/*", "/assets/*", "/goodbye"', null),
    authenticate("api", 20, '"/api/*"', [`on_unauthenticated_request = "deny"`]),
    ...others.map((room, index) =>
      authenticate(nameOf(room), 30 + 10 * index, `"/${room}", "/${room}/*"`, [
        `session_cookie_name                 = "${cookieOf(room)}"`,
        `authentication_request_extra_params = { room = "${room}" }`,
      ]),
    ),
    authenticate("site", 30 + 10 * others.length, '"/*"'),
  ].join("\n");
};

function rule(name: string, priority: number, paths: string, login: readonly string[] | null): string {
  const authenticated =
    login === null
      ? ""
      : `  action {
    type = "authenticate-oidc"
    authenticate_oidc {
${login.map((line) => (line === "" ? "" : `      ${line}`)).join("\n")}
    }
  }
`;
  return `resource "aws_lb_listener_rule" "${name}" {
  listener_arn = aws_lb_listener.https.arn
  priority     = ${priority}
  condition {
    path_pattern { values = [${paths}] }
  }
${authenticated}  action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.shop.arn
  }
}
`;
}

function loginAt(issuer: string, clientId: string): string[] {
  return [
    `issuer                 = "${issuer}"`,
    `authorization_endpoint = "${issuer}/authorize"`,
    `token_endpoint         = "${issuer}/token"`,
    `user_info_endpoint     = "${issuer}/userinfo"`,
    `client_id              = "${clientId}"`,
    "client_secret          = var.usher_client_secret",
  ];
}

/** Terraform's names begin with a letter, and each is there once. */
function nameOf(room: string): string {
  return /^[a-z]/.test(room) && !["never_queue", "api", "site"].includes(room) ? room : `room_${room}`;
}

/** Such as CheckoutAuth: a session of its own for each room. Every room has another; a hyphen that begins no word is `_`. */
function cookieOf(room: string): string {
  const name = room.replace(/-([a-z])/g, (_, first: string) => first.toUpperCase()).replace(/-/g, "_");
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Auth`;
}
