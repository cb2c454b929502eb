/** `npm run lua`: compiles src/core to the Lua that Redis runs. */
import "./lib/node-version.mjs";
import { compileLua } from "./lib/lua.mjs";

process.exitCode = await compileLua();
