// Long: many rooms, and what browsers may lack, one by one.
import "./site-tag-browsers.test.ts";
