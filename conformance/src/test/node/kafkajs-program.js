// Works through a job file with kafkajs. Arguments: HOST:PORT and the job file. The formats of job file and record files
// are described in JobFile.java and RecordFile.java.
'use strict'

const fs = require('fs')
const { Kafka, CompressionTypes, CompressionCodecs, logLevel } = require('kafkajs')
const lz4 = require('lz4js')
const xxh32 = require('lz4js/xxh32.js')
const { ZstdCodec } = require('zstd-codec')

const TYPES = {
  none: CompressionTypes.None,
  gzip: CompressionTypes.GZIP,
  snappy: CompressionTypes.Snappy,
  lz4: CompressionTypes.LZ4,
  zstd: CompressionTypes.ZSTD,
}
const BATCH_RECORDS = 500
const READ_LIMIT_MS = 120_000

// Kafka takes only frames whose blocks stand alone. lz4js does not say so of its frames, but one of a single block (at
// most 4 MiB) does: set that flag and compute the header's checksum again.
function lz4Frame(buffer) {
  const frame = Buffer.from(lz4.compress(buffer))
  frame[4] |= 0x20
  frame[6] = (xxh32.hash(0, frame, 4, 2) >>> 8) & 0xff
  return frame
}

async function addCodecs() {
  CompressionCodecs[CompressionTypes.Snappy] = require('kafkajs-snappy')
  CompressionCodecs[CompressionTypes.LZ4] = () => ({
    compress: async encoder => lz4Frame(encoder.buffer),
    decompress: async buffer => Buffer.from(lz4.decompress(buffer)),
  })
  const zstd = await new Promise(resolve => ZstdCodec.run(resolve))
  CompressionCodecs[CompressionTypes.ZSTD] = () => ({
    compress: async encoder => Buffer.from(new zstd.Streaming().compress(encoder.buffer)),
    decompress: async buffer => Buffer.from(new zstd.Streaming().decompress(buffer)),
  })
}

function readRecords(file) {
  const bytes = fs.readFileSync(file)
  const records = []
  let position = 0
  while (position < bytes.length) {
    const lineEnd = bytes.indexOf(0x0a, position)
    const [keyLength, valueLength] = bytes.toString('latin1', position, lineEnd).split(' ').map(Number)
    const key = lineEnd + 1
    const value = key + keyLength
    records.push({ key: bytes.subarray(key, value), value: bytes.subarray(value, value + valueLength) })
    position = value + valueLength + 1
  }
  return records
}

async function produce(kafka, topic, compression, file) {
  const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 })
  await producer.connect()
  const records = readRecords(file)
  for (let i = 0; i < records.length; i += BATCH_RECORDS) {
    await producer.send({
      topic,
      acks: -1,
      compression: TYPES[compression],
      messages: records.slice(i, i + BATCH_RECORDS),
    })
  }
  await producer.disconnect()
}

async function consume(kafka, topic, groupId, file) {
  const admin = kafka.admin()
  await admin.connect()
  const ends = await admin.fetchTopicOffsets(topic)
  await admin.disconnect()
  const open = new Map(ends.filter(p => p.high !== p.low).map(p => [p.partition, BigInt(p.high)]))
  const out = fs.openSync(file, 'w')
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 100 })
  await consumer.connect()
  await consumer.subscribe({ topic, fromBeginning: true })
  await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('topic ' + topic + ' not read in time')), READ_LIMIT_MS)
    consumer
      .run({
        eachBatch: async ({ batch }) => {
          for (const { key, value } of batch.messages) {
            fs.writeSync(out, Buffer.concat([Buffer.from(`${key.length} ${value.length}\n`), key, value, Buffer.from('\n')]))
          }
          const end = open.get(batch.partition)
          if (end !== undefined && BigInt(batch.lastOffset()) + 1n >= end) open.delete(batch.partition)
          if (open.size === 0) {
            clearTimeout(timer)
            resolve()
          }
        },
      })
      .catch(reject)
  })
  await consumer.disconnect()
  fs.closeSync(out)
}

async function main() {
  const [bootstrap, jobs] = process.argv.slice(2)
  await addCodecs()
  const kafka = new Kafka({ clientId: 'kafkajs', brokers: [bootstrap], logLevel: logLevel.ERROR })
  for (const line of fs.readFileSync(jobs, 'utf8').split('\n').filter(Boolean)) {
    const [kind, topic, how, file] = line.split('\t')
    await (kind === 'produce' ? produce : consume)(kafka, topic, how, file)
  }
}

main().then(
  () => process.exit(0),
  error => {
    console.error(error)
    process.exit(1)
  },
)
