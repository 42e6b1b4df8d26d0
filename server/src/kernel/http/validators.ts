import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TObject, TSchema } from 'typebox'
import { normalizeBody } from '../schema.ts'

const options = {
  strict: false,
  verbose: true,
  allowUnionTypes: true,
  // Both would double the time to compile: the schemas are our own, and V8 optimizes the code as well.
  validateSchema: false,
  code: { optimize: false },
} as const

/** Above this many values only the first error is reported: each error takes memory, and a large body can have millions. */
const maxValuesForAllErrors = 1000

type Validated = { value: unknown; errors?: undefined } | { errors: ErrorObject[] }

/** Creates validators of bodies, without type conversion. */
export function bodyValidators(): (schema: TSchema) => (input: unknown) => Validated {
  const firstErrorAjv = createAjv({})
  const allErrorsAjv = createAjv({ allErrors: true })
  return (schema) => {
    const normalize = 'properties' in schema ? normalizeBody(schema as TObject) : (input: unknown) => input
    let findFirst: ValidateFunction | undefined
    let findAll: ValidateFunction | undefined
    return (input) => {
      const value = normalize(input)
      findFirst ??= firstErrorAjv.compile(schema)
      if (findFirst(value)) return { value }
      if (hasMoreValues(value, maxValuesForAllErrors)) return { errors: findFirst.errors ?? [] }
      findAll ??= allErrorsAjv.compile(schema)
      findAll(value)
      return { errors: findAll.errors ?? [] }
    }
  }
}

/** Creates validators of parameters, which arrive as text and are converted to the types of their schema. */
export function parameterValidators(): (schema: TSchema) => (input: unknown) => Validated {
  const ajv = createAjv({ allErrors: true, coerceTypes: true, useDefaults: true })
  return (schema) => {
    const numbers = numbersIn(schema)
    let validate: ValidateFunction | undefined
    return (input) => {
      const malformed = numbers.filter(({ name }) => !plainNumber.test((input as Record<string, string>)[name] ?? '0'))
      if (malformed.length > 0) return { errors: malformed.map(notANumber) }
      validate ??= ajv.compile(schema)
      return validate(input) ? { value: input } : { errors: validate.errors ?? [] }
    }
  }
}

const defaultingAjv = createAjv({ useDefaults: true })

/** Fills in the defaults of the schema, without type conversion, and returns the first error. */
export function fillDefaults(schema: TSchema, value: object): ErrorObject | undefined {
  const validate = defaultingAjv.compile(schema) // Ajv compiles a schema once
  return validate(value) ? undefined : validate.errors?.[0]
}

function hasMoreValues(value: unknown, max: number): boolean {
  const open = [value]
  for (let count = 0; open.length > 0; count++) {
    if (count + open.length > max) return true
    const each = open.pop()
    if (typeof each !== 'object' || each === null) continue
    for (const name in each) {
      open.push((each as Record<string, unknown>)[name])
      if (open.length > max) return true
    }
  }
  return false
}

/** Plain decimals only. Ajv would also convert `0x10`, `1e3` and blanks. */
const plainNumber = /^-?\d{1,20}(\.\d{1,20})?$/

interface NumberField {
  name: string
  type: string
}

function numbersIn(schema: TSchema): NumberField[] {
  const properties = Object.entries((schema as Partial<TObject>).properties ?? {}) as [string, { type?: string }][]
  return properties.flatMap(([name, { type }]) => (type === 'integer' || type === 'number' ? [{ name, type }] : []))
}

const notANumber = ({ name, type }: NumberField): ErrorObject => ({
  keyword: 'type',
  instancePath: `/${name}`,
  schemaPath: '',
  params: { type },
})

/** Times must be convertible to UTC. Leap seconds are not. */
function createAjv(more: Options): Ajv {
  const ajv = new Ajv({ ...options, ...more })
  addFormats.default(ajv)
  const { validate } = ajv.formats['date-time'] as { validate: (text: string) => boolean }
  return ajv.addFormat('date-time', (text: string) => validate(text) && !Number.isNaN(Date.parse(text)))
}
