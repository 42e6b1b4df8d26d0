import type { Generated } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../../kernel/context.ts'
import type { Feature } from '../../kernel/feature.ts'
import { Ok, ok } from '../../kernel/http/envelope.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import type { Stored } from '../../kernel/store/table.ts'
import { hour } from '../../kernel/time.ts'
import { flushLastUsed } from './authenticate.ts'
import { ownClients } from './clients.ts'
import { type Issuer, issuerAt } from './issuer.ts'
import { clientTokenMigration, tokenMigration } from './migrations.ts'
import { jwtVerifier } from './oidc.ts'
import { ConnectedClient, CreatedToken, Me, Token, type TokenOrigin } from './schema.ts'
import { tokens as service } from './service.ts'

export * from './authenticate.ts'
export * from './claims.ts'
export * from './clients.ts'
export { ensureOwner } from './first-owner.ts'
export * from './issuer.ts'
export * from './schema.ts'
export * from './service.ts'

declare module '../../kernel/store/database.ts' {
  interface Tables {
    token: Omit<Stored<Token>, 'groups' | 'scopes'> & {
      workspace_id: string
      scopes: Generated<string>
      groups: Generated<string>
      hash: string
      /** The token that a person was signed in with when they connected the client. Revoking it revokes this one. */
      parent_id: string | null
      origin: TokenOrigin
    }
  }
}

declare module '../../kernel/context.ts' {
  interface FeatureState {
    tokens: {
      /** When each token was last used. Written to the database in batches. */
      lastUsed: Map<string, number>
      flushTimer?: NodeJS.Timeout
      /** The callers of tokens that were accepted lately, by hash. */
      recent: LRUCache<string, Caller>
      /** The identity provider; null if there is none. */
      issuer: Issuer | null
      /** Null if there is no identity provider. JWTs for `resource`, the MCP server, may do nothing else. */
      verifyJwt: ((token: string, resource: string | null) => Promise<Caller | null>) | null
    }
  }
}

export const tokens: Feature = {
  name: 'tokens',
  migrations: [tokenMigration, clientTokenMigration],
  resources: [service],
  personalData: [
    {
      table: 'token',
      person: 'user_id',
      exported: {
        file: 'tokens.jsonl',
        columns: [
          'id',
          'name',
          'role',
          'scopes',
          'user_id',
          'groups',
          'client',
          'prefix',
          'created_at',
          'expires_at',
          'last_used_at',
        ],
      },
      erased: 'rows',
      counted: 'tokens',
    },
  ],
  state(ctx) {
    const { oidc } = ctx.config
    const issuer = oidc && issuerAt(ctx, oidc.issuer)
    return {
      lastUsed: new Map(),
      recent: new LRUCache({ max: 1000, ttl: hour }),
      issuer,
      verifyJwt: oidc && issuer && jwtVerifier(ctx, oidc, issuer),
    }
  },
  routes(app, ctx) {
    resourceRoutes(app, ctx, {
      path: '/tokens',
      title: 'Token',
      tag: 'Tokens',
      shape: Token,
      createdShape: CreatedToken,
      service,
      read: 'read-configuration',
      write: 'administer',
      example: { name: 'CI', role: 'editor', groups: [], expires_at: '2030-01-01T00:00:00Z' },
      change: { groups: ['finance'] },
    })

    resourceRoutes(app, ctx, {
      path: '/connected-clients',
      title: 'Connected client',
      tag: 'Tokens',
      shape: ConnectedClient,
      service: ownClients,
      read: 'converse',
      write: 'converse',
      example: { name: 'Claude', client: 'claude.ai' },
    })

    app.get(
      '/me',
      {
        config: { may: 'see-status' },
        schema: { tags: ['Tokens'], summary: 'Get the caller of this token', response: { 200: Ok(Me) } },
      },
      async (request) => ok(await service.me(ctx, request.caller)),
    )
  },
  close: flushLastUsed,
}
