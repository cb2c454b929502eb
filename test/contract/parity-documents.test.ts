import { describeDocumentsParity } from "./parity-documents.contract.ts";

describeDocumentsParity(30);
