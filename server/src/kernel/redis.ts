import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { ConfigError } from './config.ts'
import { reason } from './errors.ts'
import { second } from './time.ts'

export async function connectRedis(url: string, log: Logger): Promise<Redis> {
  const { Redis } = await import('ioredis') // loaded only in a cluster
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    keepAlive: 10 * second,
    connectTimeout: 5 * second,
    commandTimeout: second, // the rate limiter then counts in the database
    socketTimeout: 5 * second, // a silent connection is closed and opened again
  })
  redis.on('error', (error) => log.warn({ error: reason(error) }, 'Redis connection error'))
  try {
    await redis.connect()
  } catch (error) {
    redis.disconnect()
    throw new ConfigError(`The Redis at REDIS_URL cannot be reached (${reason(error)}).`)
  }
  return redis
}
