export interface Option {
  type: 'string' | 'boolean'
  short?: string
  multiple?: boolean
  /** The placeholder of the value in the help: `--port <number>`. */
  value?: string
  description: string
}

export type Options = Record<string, Option>

type ValueOf<O extends Option> = O extends { type: 'boolean' } ? boolean : string
export type Values<O extends Options> = {
  [Name in keyof O]?: O[Name] extends { multiple: true } ? ValueOf<O[Name]>[] : ValueOf<O[Name]>
}

export const jsonOption = { type: 'boolean', description: 'Print JSON instead of text' } as const
