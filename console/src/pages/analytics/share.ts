const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

/** A part of the whole, from 0 to 1, in percent. */
export const share = (part: number): string => percents.format(part)
