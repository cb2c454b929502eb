/** How programs in Python sign: botocore, and aws-requests-auth, which the inlets use. Both are fetched from PyPI, for tests alone. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { makeTempDir } from "../../../support/temp-dir.ts";
import { accessKeyId, secretAccessKey } from "./home-client.ts";

const run = promisify(execFile);
const packages = ["botocore==1.43.11", "aws-requests-auth==0.4.3", "requests==2.32.5"];

/** Asks by either, and prints what was answered. */
const program = `
import json, sys
from urllib.parse import urlparse
import requests
from aws_requests_auth.aws_auth import AWSRequestsAuth
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

key, secret, calls = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
answers = []
for call in calls:
    method, url, body = call["method"], call["url"], call.get("body")
    data = None if body is None else json.dumps(body)
    if call["signer"] == "botocore":
        request = AWSRequest(method=method, url=url, data=data, headers=call.get("headers", {}))
        SigV4Auth(Credentials(key, secret), "execute-api", "eu-west-1").add_auth(request)
        answer = requests.request(method, url, data=data, headers=dict(request.headers))
    else:
        auth = AWSRequestsAuth(aws_access_key=key, aws_secret_access_key=secret, aws_host=urlparse(url).netloc,
                               aws_region="eu-west-1", aws_service="execute-api")
        answer = requests.request(method, url, data=data, auth=auth)
    answers.append([answer.status_code, answer.json()])
print(json.dumps(answers))
`;

export interface PythonCall {
  readonly signer: "botocore" | "aws-requests-auth";
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function startPythonSigners() {
  const folder = await makeTempDir("python-signers");
  await run("python3", [
    "-m",
    "pip",
    "install",
    "--quiet",
    "--disable-pip-version-check",
    "--target",
    folder.path,
    ...packages,
  ]);
  return {
    async ask(
      calls: readonly PythonCall[],
      secret = secretAccessKey,
    ): Promise<(readonly [status: number, body: unknown])[]> {
      const env = { ...process.env, PYTHONPATH: folder.path };
      const { stdout } = await run("python3", ["-c", program, accessKeyId, secret, JSON.stringify(calls)], { env });
      return JSON.parse(stdout);
    },
    stop: () => folder.remove(),
  };
}
