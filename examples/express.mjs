/**
 * A site that is reached by links to a waiting room: visitors come with `usher_token` in the address and get a session;
 * all others are sent to the room. `ISSUER=https://queue.example.com ROOM=tickets PORT=8080 node examples/express.mjs`
 * The room lists this site among its `targets`; the demonstration's room does.
 */
import { randomBytes } from "node:crypto";
import express from "express";
import session from "express-session";
import { AdmissionRefusedError, createAdmissionVerifier } from "usher/verify";

const {
  ISSUER = "http://localhost:3000",
  ROOM = "demo",
  PORT = "8080",
  SITE = `http://localhost:${PORT}`,
} = process.env;
const { SESSION_SECRET = randomBytes(32).toString("hex") } = process.env;
const verify = createAdmissionVerifier({ issuer: ISSUER, room: ROOM });
const app = express();
/** Tokens that were taken, by name, and when they are void anyway: a link that is shared lets in one browser. */
const taken = new Map();

// Servers that call us, and assets, never queue.
app.post("/webhooks/payment", (_request, response) => response.json({ received: true }));

app.use(session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false, cookie: { sameSite: "lax" } }));
/** Ends the visit here and in the room. */
app.get("/logout", (request, response) => {
  request.session.destroy(() =>
    response.redirect(303, `${ISSUER}/rooms/${ROOM}/leave?return=${encodeURIComponent(`${SITE}/goodbye`)}`),
  );
});
app.get("/goodbye", (_request, response) => response.send("Goodbye"));

app.use(async (request, response, next) => {
  const { usher_token: token, ...query } = request.query;
  try {
    const isIn = Date.now() < (request.session.untilMs ?? 0);
    // Nobody becomes somebody else by following a link.
    if (isIn && token === undefined) return next();
    if (isIn) return response.redirect(303, SITE + addressOf(request.path, query));
    if (token !== undefined) {
      const { sub, admitted_until, jti, exp } = await verify(token);
      if (!takeOnce(jti, exp * 1_000)) throw new AdmissionRefusedError("expired");
      // A new session for each admission, so that nobody else knows its id.
      await new Promise((resolve, reject) =>
        request.session.regenerate((error) => (error ? reject(error) : resolve())),
      );
      Object.assign(request.session, { sub, untilMs: admitted_until * 1_000 });
      return response.redirect(303, SITE + addressOf(request.path, query));
    }
  } catch (error) {
    if (!(error instanceof AdmissionRefusedError)) return next(error);
    if (error.reason === "keys_unavailable") return response.status(503).send("Please try again in a moment.");
  }
  const target = encodeURIComponent(SITE + addressOf(request.path, query));
  return response.redirect(303, `${ISSUER}/rooms/${ROOM}/enter?target=${target}`);
});

app.get("/", (request, response) => response.send(`Welcome, ${request.session.sub}`));
app.get("/products/:id", (request, response) => response.send(`Product ${Number(request.params.id)}`));

function takeOnce(name, voidMs) {
  for (const [other, ms] of taken) if (ms < Date.now()) taken.delete(other);
  if (name === undefined || taken.has(name)) return false;
  taken.set(name, voidMs);
  return true;
}

function addressOf(path, query) {
  const text = new URLSearchParams(query).toString();
  // Usher leads to no path that begins with two slashes.
  return path.replace(/^\/+/, "/") + (text === "" ? "" : `?${text}`);
}

app.listen(Number(PORT), () => console.log(`listening on ${SITE}`));
