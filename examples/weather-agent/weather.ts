// A weather API for the example: GET /weather/{city}.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export const server = createServer((request, response) => {
  const city = decodeURIComponent(request.url?.split('/')[2] ?? '')
  console.log(`(The weather API was asked for ${city}.)`)
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ city, sky: 'light rain', temperature: 7, wind: '12 km/h' }))
}).listen(0, '127.0.0.1')
await once(server, 'listening')

export const openapi = {
  openapi: '3.1.0',
  info: { title: 'Weather', version: '1.0.0' },
  servers: [{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }],
  paths: {
    '/weather/{city}': {
      get: {
        operationId: 'get_weather',
        summary: 'Tells the current weather in a city.',
        parameters: [{ name: 'city', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'The weather' } },
      },
    },
  },
}
