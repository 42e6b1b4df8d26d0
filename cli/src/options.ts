export interface Option {
  type: 'string' | 'boolean'
  short?: string
  multiple?: boolean
  /** The placeholder of the value in the help: `--port <number>`. */
  value?: string
  description: string
}

export type Options = Record<string, Option>

type OptionValue<O extends Option> = O extends { type: 'boolean' } ? boolean : string
export type Values<O extends Options> = {
  [Name in keyof O]?: O[Name] extends { multiple: true } ? OptionValue<O[Name]>[] : OptionValue<O[Name]>
}

export const jsonOption = { type: 'boolean', description: 'Print JSON instead of text' } as const
