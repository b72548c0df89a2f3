/** Puts a page together: its schema says which one; the tables are embedded, everything else follows from them. */

import "tabulator-tables/dist/css/tabulator_simple.css";
import "./page.css";
import { breaking } from "./breaking.js";
import { comparison } from "./comparison.js";
import { embedded } from "./controls.js";
import { plan } from "./plan.js";

const document = embedded("data");
if (document.schema === "trunkline/compare-page/1") comparison(document);
else if (document.schema === "trunkline/break-page/1") breaking(document);
else plan(document);
