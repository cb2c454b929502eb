// Long: schedules, faults, two operators; the quick one changes settings, and gives them back.
import "./settings.test.ts";
