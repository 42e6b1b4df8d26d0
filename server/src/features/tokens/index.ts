import type { Generated } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../../kernel/context.ts'
import type { Feature } from '../../kernel/feature.ts'
import { Ok, ok } from '../../kernel/http/envelope.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import type { Stored } from '../../kernel/store/table.ts'
import { hour } from '../../kernel/time.ts'
import { flushLastUsed } from './authenticate.ts'
import { type Issuer, issuerAt } from './issuer.ts'
import { tokenMigration } from './migrations.ts'
import { jwtVerifier } from './oidc.ts'
import { CreatedToken, Me, Token, type TokenOrigin } from './schema.ts'
import { tokens as service } from './service.ts'

export * from './authenticate.ts'
export * from './claims.ts'
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
      origin: TokenOrigin
    }
  }
}

declare module '../../kernel/context.ts' {
  interface FeatureState {
    tokens: {
      /** When each token was last used. Written to the database in batches. */
      lastUsed: Map<string, number>
      /** The callers of tokens that were accepted lately, by hash. */
      recent: LRUCache<string, Caller>
      /** The identity provider; null if there is none. */
      issuer: Issuer | null
      /** Null if no JWT is a token. */
      verifyJwt: ((token: string) => Promise<Caller | null>) | null
    }
  }
}

export const tokens: Feature = {
  name: 'tokens',
  migrations: [tokenMigration],
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
    const accepts = oidc && issuer && oidc.audience !== null
    return {
      lastUsed: new Map(),
      recent: new LRUCache({ max: 1000, ttl: hour }),
      issuer,
      verifyJwt: accepts ? jwtVerifier(ctx, oidc, issuer, oidc.audience as string) : null,
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
