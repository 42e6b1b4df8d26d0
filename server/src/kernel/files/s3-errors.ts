import type { S3Location } from '../config.ts'

interface S3Error {
  name?: string
  code?: string
  message?: string
  $metadata?: { httpStatusCode?: number }
}

/** Explains an error of the store to the operator, with advice. It contains no credentials. */
export function explain(error: unknown, { bucket, endpoint }: S3Location): string {
  const { name = '', code = '', message = '', $metadata } = error as S3Error
  const status = $metadata?.httpStatusCode
  const store = endpoint === null ? 'Amazon S3' : new URL(endpoint).origin
  if (name === 'NoSuchBucket') return `there is no bucket "${bucket}" at ${store}. Create it first.`
  if (name === 'CredentialsProviderError')
    return 'no credentials were found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'
  if (/region is missing/i.test(message)) return 'the region of the bucket is not known. Set AWS_REGION.'
  if (status === 301 || name === 'PermanentRedirect' || name === 'AuthorizationHeaderMalformed')
    return `the bucket "${bucket}" is in another region. Set AWS_REGION.`
  if (status === 401 || status === 403)
    return `access to the bucket "${bucket}" was denied (${name}). Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the permissions to list, read, write and delete.`
  if (status === undefined) return `${store} cannot be reached (${code || name || message}).`
  return `${store} answered with an error (${name || message}, status ${status}).`
}

/** Whether a repetition may succeed: no answer, too many requests, or an error of the server. */
export function isTransient(error: unknown): boolean {
  const { name, $metadata } = error as S3Error
  const status = $metadata?.httpStatusCode
  if (name === 'CredentialsProviderError') return false
  return status === undefined || status === 429 || status >= 500
}
