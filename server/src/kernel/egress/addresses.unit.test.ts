import { expect, it } from 'vitest'
import { addressKind } from './addresses.ts'

const table: Record<string, string[]> = {
  public: [
    '8.8.8.8',
    '1.1.1.1',
    '2606:4700::1111',
    '100.63.255.255',
    '100.128.0.1',
    '172.32.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ],
  loopback: [
    '127.0.0.1',
    '127.255.255.254',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
  ],
  'link-local': [
    '169.254.169.254',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    'fd00:ec2::254',
    '100.100.100.200',
    '::169.254.169.254',
  ],
  private: [
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '100.64.0.1',
    'fc00::1',
    'fdff::1',
    '::ffff:10.0.0.1',
    '2002:a00:1::',
  ],
  reserved: [
    '0.0.0.0',
    '255.255.255.255',
    '224.0.0.1',
    'ff02::1',
    '::',
    '192.0.2.1',
    '2001:db8::1',
    '198.18.0.1',
    '240.0.0.1',
    'nonsense',
    '',
  ],
}

it.each(Object.entries(table))('recognises %s addresses in every form', (kind, addresses) => {
  for (const address of addresses) expect([address, addressKind(address)]).toEqual([address, kind])
})
