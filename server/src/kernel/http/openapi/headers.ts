import type { ErrorCode } from '../../errors.ts'
import type { Json } from './schemas.ts'

const text = { type: 'string' }
const seconds = { type: 'integer', minimum: 0 }

/** Response headers, in `components.headers`. */
export const responseHeaders = {
  'X-Request-Id': { description: 'The ID of this request in the log.', required: true, schema: text },
  RateLimit: { description: 'Requests left in the window, and seconds until it resets.', schema: text },
  'RateLimit-Policy': { description: 'The limit, and the length of the window in seconds.', schema: text },
  'X-RateLimit-Limit': { description: 'Requests per window.', schema: seconds },
  'X-RateLimit-Remaining': { description: 'Requests left in the window.', schema: seconds },
  'X-RateLimit-Reset': { description: 'When the window resets, in seconds since 1970.', schema: seconds },
  ETag: {
    description: 'The version of what was returned. Send it as `If-None-Match` to read again, as `If-Match` to change.',
    schema: { type: 'string', pattern: '^"[^"]+"$', examples: ['"3-9f86d081884c7d65"'] },
  },
  'Idempotent-Replayed': {
    description: 'The response of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: seconds },
  'WWW-Authenticate': { description: 'The authentication that is missing or invalid.', schema: text },
} satisfies Record<string, Json>

type ResponseHeader = keyof typeof responseHeaders

export const everyResponse = [
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const satisfies ResponseHeader[]

export const headerReferences = (names: readonly ResponseHeader[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const parameter = (name: string, description: string, schema: Json = text) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
})

/** Request headers, in `components.parameters`. */
export const requestHeaders = {
  workspace: parameter('X-Workspace', "For an owner's token: the ID or name of the workspace to act in."),
  seenAs: parameter(
    'X-Seen-As',
    'For editors and above: reads and searches as this person would, such as `user_id=anna; groups=hr,sales`.',
  ),
  idempotencyKey: parameter(
    'Idempotency-Key',
    'Requests with the same key and body run once and get the same response for 24 hours.',
    { type: 'string', minLength: 1, maxLength: 255 },
  ),
  ifMatch: parameter(
    'If-Match',
    'Only if nobody changed the resource since this ETag was read; otherwise 412. Messages, syncs and other progress do not count as changes.',
  ),
  ifNoneMatch: parameter('If-None-Match', 'An ETag. If it is still current, the response is 304 without a body.'),
}

const reference = (name: keyof typeof requestHeaders): Json => ({ $ref: `#/components/parameters/${name}` })

interface Operation {
  method: string
  may: string
  codes: ErrorCode[]
  isJson: boolean
  /** Whether it takes `X-Seen-As`. */
  isRead: boolean
  own: Record<string, string>
}

export const headerParameters = ({ method, may, codes, isJson, isRead, own }: Operation): Json[] => [
  ...(may === 'public' ? [] : [reference('workspace')]),
  ...(isRead && may !== 'public' ? [reference('seenAs')] : []),
  ...(method === 'post' && may !== 'public' ? [reference('idempotencyKey')] : []),
  ...(codes.includes('precondition_failed') ? [reference('ifMatch')] : []),
  ...(method === 'get' && isJson ? [reference('ifNoneMatch')] : []),
  ...Object.entries(own).map(([name, description]) => parameter(name, description)),
]
