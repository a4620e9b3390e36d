/** Every form of file the import reads. */
import type { Form } from "./form.ts";
import { ASSAY_FORMS } from "./forms/assay.ts";
import { DUKASCOPY_FORMS } from "./forms/dukascopy.ts";
import { HISTDATA_FORMS } from "./forms/histdata.ts";
import { METATRADER_FORMS } from "./forms/metatrader.ts";
import { STOOQ_FORMS } from "./forms/stooq.ts";

/** All forms, format by format. */
export const FORMS: readonly Form[] = [
  ...ASSAY_FORMS,
  ...STOOQ_FORMS,
  ...METATRADER_FORMS,
  ...DUKASCOPY_FORMS,
  ...HISTDATA_FORMS,
];
