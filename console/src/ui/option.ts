export interface Option<Value extends string = string> {
  value: Value
  label: string
  /** Options of one group follow each other, under its name. */
  group?: string
}
