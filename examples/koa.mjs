/**
 * An API for apps that come with an admission token in `Authorization: Bearer`.
 * `ISSUER=https://queue.example.com ROOM=tickets PORT=8080 node examples/koa.mjs`
 */
import Koa from "koa";
import { AdmissionRefusedError, createAdmissionVerifier } from "usher/verify";

const { ISSUER = "http://localhost:3000", ROOM = "demo", PORT = "8080", AUDIENCE } = process.env;
const verify = createAdmissionVerifier({ issuer: ISSUER, room: ROOM, audience: AUDIENCE });
const app = new Koa();

app.use(async (ctx, next) => {
  try {
    ctx.state.admission = await verify(/^Bearer (\S+)$/i.exec(ctx.get("Authorization"))?.[1]);
  } catch (error) {
    if (!(error instanceof AdmissionRefusedError)) throw error;
    const { reason } = error;
    ctx.status = reason === "keys_unavailable" ? 503 : 401;
    // RFC 6750, section 3: without an error where no token came.
    if (ctx.status === 401) {
      ctx.set("WWW-Authenticate", `Bearer realm="${ROOM}"${reason === "missing" ? "" : ', error="invalid_token"'}`);
    }
    ctx.body = { error: reason, tickets: `${ISSUER}/rooms/${ROOM}/tickets` };
    return;
  }
  await next();
});

app.use((ctx) => {
  const { sub, queue_position } = ctx.state.admission;
  ctx.body = { sub, queue_position };
});

app.listen(Number(PORT), () => console.log(`listening on port ${PORT}`));
