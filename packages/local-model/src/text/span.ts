/** A piece of a text: the characters from `start` up to `end`. */
export interface Span {
  start: number
  end: number
}
