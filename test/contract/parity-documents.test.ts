import { describeDocumentsParity } from "./parity-documents.contract.ts";

describeDocumentsParity(15);
