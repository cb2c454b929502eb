// Long: screens, images, changes and failures; the quick one has where it stands.
import "./while-waiting.test.ts";
