// Long: a browser for each thing that it may lack; the quick one lacks all at once.
import "./optional-apis.test.ts";
