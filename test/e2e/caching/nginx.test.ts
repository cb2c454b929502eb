import { blocksOf } from "../../support/cache-guide.ts";
import { startNginx } from "../../support/nginx.ts";
import { describeCache } from "./suite.ts";

describeCache("nginx", (port) => {
  const [http = "", locations = ""] = blocksOf("nginx", port);
  const ownFolder = http.replaceAll("/var/cache/nginx", "FOLDER");
  return startNginx({ upstreamPorts: [], http: ownFolder, locations });
});
