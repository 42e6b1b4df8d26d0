import type { Feature } from '../../kernel/feature.ts'
import { hour } from '../../kernel/time.ts'
import { type ClientDocuments, createClientDocuments } from './clients.ts'
import { consentRoutes } from './consent.ts'
import { oauthErrors } from './errors.ts'
import { removeExpiredGrants } from './grants.ts'
import { metadataRoutes } from './metadata.ts'
import { grantMigration } from './migrations.ts'
import { authorizationRoutes } from './routes.ts'

declare module '../../kernel/store/database.ts' {
  interface Tables {
    /** The permission that a person gave a client: it has the client's code at first, then its refresh token. */
    oauth_grant: {
      id: string
      workspace_id: string
      /** The token that the person was signed in with. */
      person_token_id: string
      /** The token of the client. Null until the code is exchanged. */
      token_id: string | null
      /** The hash of the client's ID. */
      client_id: string
      client_name: string
      client_host: string
      redirect_uri: string
      /** The S256 challenge of PKCE. */
      challenge: string
      code_hash: string
      /** The hash of the secret that all refresh tokens of this grant begin with. */
      family_hash: string | null
      /** The hash of the refresh token that is valid. */
      refresh_hash: string | null
      /** When the code expires; later, when the refresh token does. */
      expires_at: string
      created_at: string
    }
  }
}

declare module '../../kernel/context.ts' {
  interface FeatureState {
    oauth: { documents: ClientDocuments }
  }
}

/** People connect programs such as Claude to the MCP server, without a token that is pasted by hand. */
export const oauth: Feature = {
  name: 'oauth',
  migrations: [grantMigration],
  errors: oauthErrors,
  state: () => ({ documents: createClientDocuments() }),
  jobs(ctx) {
    ctx.jobs.define({ queue: 'oauth.tidy', every: hour, run: () => removeExpiredGrants(ctx) })
  },
  routes: consentRoutes,
  async pages(app, ctx) {
    metadataRoutes(app, ctx)
    authorizationRoutes(app, ctx)
  },
}
