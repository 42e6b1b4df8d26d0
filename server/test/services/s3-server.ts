import S3rver from '@20minutes/s3rver'

// The program that `startS3` runs: an S3-compatible server with the bucket "parley" on a folder.
const [directory, port] = process.argv.slice(2)
const server = new S3rver({
  directory,
  port: Number(port),
  address: '127.0.0.1',
  silent: true,
  allowMismatchedSignatures: true, // it signs the path of a bucket without the slash that the SDK sends
  configureBuckets: [{ name: 'parley' }],
})
await server.run()
process.send?.('ready')
