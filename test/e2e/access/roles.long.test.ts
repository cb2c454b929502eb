// Long: each key and each person asks each route.
import { describeMatrix, useRoles } from "./roles.ts";

describeMatrix(await useRoles(), true);
