/** Whether a cell has a number, or a dash for a missing one. Years do not count, because they are usually titles. */
export const isFigure = (text: string): boolean =>
  /^[(\s]*[-+−]?[\p{Sc}\s]*\(?\d[\d.,'’\s]*[%)\p{Sc}\s]*(?:[A-Z]{3})?$|^[\p{Sc}\s]*[-–—]\s?%?$/u.test(text) &&
  !/^(?:(?:19|20)\d\d ?)+$/.test(text)
