/** An ID as a part of a path. */
export const segment = (id: string | number): string => {
  if (!id || id === '.' || id === '..') throw new TypeError('An ID is required.')
  return encodeURIComponent(id)
}
