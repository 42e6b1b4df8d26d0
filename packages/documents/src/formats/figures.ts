/** A number or a dash in its place. Years are more often titles. */
export const isFigure = (text: string): boolean =>
  /^[(\s]*[-+−]?[\p{Sc}\s]*\(?\d[\d.,'’\s]*[%)\p{Sc}\s]*$|^[\p{Sc}\s]*[-–—]$/u.test(text) &&
  !/^(?:19|20)\d\d$/.test(text)
