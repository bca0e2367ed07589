import { cif, dni, iban, luhn } from "./checksums.ts";
import type { PiiType } from "./types.ts";

/**
 * How well a value of capitals and digits fits a type: 0 not at all, up to 0.3 nothing against it, 0.6 and more its form, 0.9
 * and more a form so particular that it needs nothing around it.
 */
export type Shape = (value: string, language: string) => number;

/** The first form that fits counts. */
const forms =
  (...list: [form: RegExp, fit: number, check?: (value: string) => boolean][]) =>
  (value: string) => {
    for (const [form, fit, check] of list) if (form.test(value)) return check?.(value) ? 0.97 : fit;
    return 0;
  };

/** Letters that a Spanish plate has. */
const PLATE = "[BCDFGHJKLMNPRSTVWXYZ]";

const ABROAD = /^(?:00)?(?:44|34|52|54|57|56|51|58|593|598|1|33|49|39|351)\d{8,10}$/u;

const PHONE = forms(
  [/^(?:00)?34[6-9]\d{8}$/u, 0.85],
  [/^[6-9]\d{8}$/u, 0.7],
  [ABROAD, 0.6],
  [/^\d{10}$/u, 0.5],
  [/^\d{6,15}$/u, 0.3],
);

/** United Kingdom and North America. */
const ENGLISH_PHONE = forms(
  [/^0[1237]\d{9}$/u, 0.75],
  [/^1?[2-9]\d{2}[2-9]\d{6}$/u, 0.7],
  [ABROAD, 0.6],
  [/^\d{10,11}$/u, 0.5],
  [/^\d{6,15}$/u, 0.3],
);

export const SHAPES: Partial<Record<PiiType, Shape>> = {
  NATIONAL_ID: forms(
    [/^\d{8}[A-Z]$/u, 0.8, dni],
    [/^[XYZ]\d{7}[A-Z]$/u, 0.85, dni],
    [/^[A-HJNP-SUVW]\d{7}[\dA-J]$/u, 0.6, cif],
    // United Kingdom, National Insurance.
    [/^[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/u, 0.92],
    // Mexico, CURP and RFC.
    [/^[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z\d]\d$/u, 0.95],
    [/^[A-ZÑ&]{3,4}\d{6}[A-Z\d]{3}$/u, 0.9],
    [/^\d{7}[A-Z]$/u, 0.5, dni],
    // Chile, RUT.
    [/^\d{7,8}K$/u, 0.6],
    // Social security (United States), cédulas, DNIs of other countries, CUIT.
    [/^\d{8,11}$/u, 0.45],
    [/^[A-Z]{0,4}\d{5,12}[A-Z]{0,3}$/u, 0.25],
    [/^(?=(?:.*\d){5})[A-Z\d]{6,20}$/u, 0.15],
  ),
  BANK_ACCOUNT: forms(
    [/^ES\d{22}$/u, 0.95, iban],
    [/^ES\d{19,24}$/u, 0.85],
    [/^(?!ES)(?=(?:.*\d){10})[A-Z]{2}\d{2}[A-Z\d]{11,30}$/u, 0.85, iban],
    // Spain without its IBAN's head, Mexico's CLABE, Argentina's CBU.
    [/^\d{20}$/u, 0.8],
    [/^\d{22}$|^\d{24}$/u, 0.75],
    [/^\d{18}$/u, 0.65],
    [/^\d{8,12}$/u, 0.4],
    [/^\d{5,26}$/u, 0.25],
    [/^(?=(?:.*\d){8})[A-Z\d]{8,34}$/u, 0.3],
  ),
  CARD: forms(
    [/^[2-6]\d{15}$/u, 0.8, luhn],
    [/^3[47]\d{13}$/u, 0.8, luhn],
    [/^\d{13,19}$/u, 0.5],
    [/^\d{7,22}$/u, 0.2],
  ),
  PASSPORT: forms(
    [/^[A-Z]{3}\d{6}[A-Z]?$/u, 0.75],
    [/^[A-Z]{1,2}\d{6,8}$/u, 0.6],
    [/^\d{9}$/u, 0.5],
    [/^(?=(?:.*\d){4})[A-Z\d]{6,12}$/u, 0.3],
  ),
  LICENSE_PLATE: forms(
    [new RegExp(`^\\d{4}${PLATE}{3}$`, "u"), 0.8],
    [/^[A-Z]{2}\d{2}[A-Z]{3}$/u, 0.75],
    [/^[A-Z]{1,2}\d{4}[A-Z]{1,2}$/u, 0.55],
    [/^[A-Z]{3}\d{3,4}$|^\d[A-Z]{3}\d{3}$|^[A-Z]\d{1,3}[A-Z]{3}$|^[A-Z]{2}\d{3}[A-Z]{2}$/u, 0.5],
    [/^(?=.*\d)(?=.*[A-Z])[A-Z\d]{4,9}$/u, 0.3],
    [/^\d{4,8}$/u, 0.15],
  ),
  PHONE: (value, language) => (language === "en" ? ENGLISH_PHONE : PHONE)(value),
  DATE_OF_BIRTH: (value) => (isDate(value) ? 0.6 : 0),
  PASSWORD: forms([/^\d{4,8}$/u, 0.4], [/^(?=.*\d)[A-Z\d]{4,20}$/u, 0.4], [/^[A-Z]{4,}$/u, 0.2]),
  USERNAME: forms([/^(?=.*\d)[A-Z\d]{4,20}$/u, 0.4], [/^[A-Z]{4,}$/u, 0.2]),
  ADDRESS: forms([/^\d{5}$/u, 0.6], [/^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/u, 0.8], [/^\d{9}$/u, 0.4]),
};

/** Day, month and year in digits, in either order of the first two. */
function isDate(value: string): boolean {
  const { a, b, year } = /^(?<a>\d{1,2})(?<b>\d{1,2})(?<year>(?:19|20)?\d{2})$/u.exec(value)?.groups ?? {};
  if (!a || !b || !year) return false;
  const [first, second] = [Number(a), Number(b)];
  return first > 0 && second > 0 && Math.min(first, second) <= 12 && Math.max(first, second) <= 31;
}
