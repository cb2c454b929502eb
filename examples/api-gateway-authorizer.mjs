/**
 * A Lambda authorizer for Amazon API Gateway: an API for apps that come with an admission token in `Authorization: Bearer`.
 * Environment: ISSUER=https://queue.example.com, ROOM=tickets, and AUDIENCE where the room has its own.
 *
 * For HTTP APIs with payload format 2.0 and simple responses, and for REST APIs as a TOKEN or REQUEST authorizer:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-lambda-authorizer.html
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
 *
 * API Gateway may keep an answer for as long as the authorizer's TTL says, and with it an admission that has ended or a token that has expired: keep it below
 * `admission_token.validity`, and 0 where an end must count at once.
 */
import { AdmissionRefusedError, createAdmissionVerifier } from "usher/verify";

const { ISSUER, ROOM, AUDIENCE } = process.env;
const verify = createAdmissionVerifier({ issuer: ISSUER, room: ROOM, audience: AUDIENCE });

export async function handler(event) {
  const isSimple = event.version === "2.0";
  try {
    const { sub, room, queue_position, admitted_via } = await verify(bearerIn(event));
    // Values of a context are texts, numbers and booleans; null is none of them.
    const context = { sub, room, admitted_via, queue_position: queue_position ?? "" };
    return isSimple ? { isAuthorized: true, context } : allow(sub, event.methodArn, context);
  } catch (error) {
    // Neither yes nor no: API Gateway answers 500, and asks again.
    if (!(error instanceof AdmissionRefusedError) || error.reason === "keys_unavailable") throw error;
    // A client of an HTTP API gets 403.
    if (isSimple) return { isAuthorized: false };
    // By this very message a client of a REST API gets 401.
    throw new Error("Unauthorized");
  }
}

/** TOKEN authorizers get the header's value, the others all headers: in lower case (2.0), or as they were sent. */
function bearerIn({ authorizationToken, headers }) {
  const named = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === "authorization");
  return /^Bearer (\S+)$/i.exec(authorizationToken ?? named?.[1] ?? "")?.[1];
}

/** For all methods of the stage, since the answer is kept for the token and not for the one method that was asked for. */
function allow(principalId, methodArn, context) {
  const [api, stage] = methodArn.split("/");
  const statement = { Action: "execute-api:Invoke", Effect: "Allow", Resource: `${api}/${stage}/*` };
  return { principalId, policyDocument: { Version: "2012-10-17", Statement: [statement] }, context };
}
