import { isObject } from '../../../kernel/is-object.ts'
import type { Auth } from '../schema.ts'
import { follow, followIn, listIn, type Node, nodeIn, OperationProblem, textIn } from './references.ts'

const maxCredentials = 4

/** The first supported security requirement of an operation: one credential, or several that are sent together. */
export function readAuth(document: Node, operation: Node, resolveUrl: (url: string) => string | null): Auth {
  const wanted = Array.isArray(operation.security) ? operation.security : listIn(document, 'security')
  const requirements = wanted.filter(isObject)
  if (requirements.length === 0 || requirements.some((each) => Object.keys(each).length === 0)) return { type: 'none' }
  const schemes = followIn(document, followIn(document, document, 'components'), 'securitySchemes')
  const reasons: string[] = []
  for (const requirement of requirements) {
    const auths: Auth[] = []
    for (const name of Object.keys(requirement)) {
      const scheme = follow(document, Object.hasOwn(schemes, name) ? schemes[name] : {})
      const auth = authFrom(scheme, requirement[name], resolveUrl)
      if (auth) auths.push(auth)
      else
        reasons.push(
          `${name} (${textIn(scheme, 'type') ?? 'not described'}${scheme.in === 'cookie' ? ' in a cookie' : ''})`,
        )
    }
    const [first, ...additional] = auths
    if (!first || auths.length < Object.keys(requirement).length) continue
    const headers = auths.filter(({ type }) => type !== 'api_key')
    if (headers.length < 2 && auths.length <= maxCredentials)
      return additional.length > 0 ? { ...first, additional } : first
    reasons.push(`${Object.keys(requirement).join(' and ')} together`)
  }
  throw new OperationProblem(`requires authentication that is not supported: ${reasons.join(', ').slice(0, 300)}`)
}

function authFrom(scheme: Node, scopes: unknown, resolveUrl: (url: string) => string | null): Auth | null {
  const type = textIn(scheme, 'type')
  if (type === 'http') return httpAuth(textIn(scheme, 'scheme')?.toLowerCase())
  if (type === 'openIdConnect') return { type: 'bearer' }
  if (type === 'apiKey') {
    const name = textIn(scheme, 'name')
    const location = scheme.in
    return name !== undefined && (location === 'header' || location === 'query')
      ? { type: 'api_key', in: location, name }
      : null
  }
  if (type !== 'oauth2') return null
  const flow = nodeIn(nodeIn(scheme, 'flows'), 'clientCredentials')
  const tokenUrl = resolveUrl(textIn(flow, 'tokenUrl') ?? '')
  if (!tokenUrl || textIn(flow, 'tokenUrl') === undefined) return { type: 'bearer' }
  const scope = (Array.isArray(scopes) ? scopes : []).filter((each) => typeof each === 'string').join(' ')
  return {
    type: 'oauth2_client_credentials',
    token_url: tokenUrl,
    ...(scope !== '' && { scope: scope.slice(0, 2000) }),
  }
}

const httpAuth = (scheme: string | undefined): Auth | null =>
  scheme === 'bearer' ? { type: 'bearer' } : scheme === 'basic' ? { type: 'basic' } : null
