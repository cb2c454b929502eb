// Long: a held place in all its ways; the quick ones have who looks, who does not, and a full site.
import "./entering.test.ts";
