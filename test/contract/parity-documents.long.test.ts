// Long: walks at random, 150 times.
import { describeDocumentsParity } from "./parity-documents.contract.ts";

describeDocumentsParity(150);
