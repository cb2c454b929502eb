// Long: a visitor and a viewer beside the operator; the quick one has the operator.
import "./entries.test.ts";
