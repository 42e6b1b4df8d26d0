export type Fields = Record<string, unknown>

/** The methods of the client that all resources of a file have. */
export interface Resource {
  list(query?: Fields): { all(): Promise<Fields[]> }
  get(id: string): Promise<Fields>
  create(body: Fields): Promise<Fields>
  update(id: string, body: Fields, options?: { ifMatch?: string }): Promise<Fields>
  delete(id: string, options?: { ifMatch?: string }): Promise<void>
}

export interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  default?: unknown
  readOnly?: boolean
  writeOnly?: boolean
  'x-derived'?: boolean
  [keyword: string]: unknown
}

/** The fields that a resource has in the file, in their order. */
export type Shape = Record<string, Schema>
