import * as z from "zod";

/** Anything of another form is a file that does not exist. */
export const FILE_ID = /^file_[0-9A-Za-z]{1,64}$/;

export const filePath = z.strictObject({
  id: z.string().regex(FILE_ID).meta({ example: "file_3Zu8bWq1TnYx0PmKcVdR" }),
});
