package dev.abacus.topology.reference.feed;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.RecordPosition;
import dev.abacus.topology.codec.DeadLetter;
import dev.abacus.topology.live.DocumentCodec;
import dev.abacus.topology.reference.EmbeddedItem;
import dev.abacus.topology.reference.EmbeddedItemCodec;
import dev.abacus.topology.reference.ItemEmbedder;
import dev.abacus.topology.runtime.Completion;
import dev.abacus.topology.runtime.ImmutableHeader;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.runtime.OutputRecord;
import dev.abacus.topology.runtime.PendingRecord;
import dev.abacus.topology.runtime.Work;
import dev.abacus.topology.runtime.WorkContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Embeds the items of one reference. Every record with a key produces exactly one record of the
 * embedded topic, so that followers can detect when all items have arrived. An item that is
 * unusable, or that an embedder fails to embed, also produces a dead letter.
 *
 * @param reference name of the reference
 * @param embedded topic of embedded items
 * @param codec reads items
 * @param restored whether earlier embeddings are loaded; work waits for it, to reuse them
 */
public record ReferenceWork(
    String reference,
    String embedded,
    DocumentCodec codec,
    ItemEmbedder embedder,
    BooleanSupplier restored)
    implements Work {

  @Override
  public boolean ready(long stamp) {
    return restored.getAsBoolean();
  }

  @Override
  public Completion run(PendingRecord job, WorkContext context) throws InterruptedException {
    InputRecord arrival = job.input();
    byte[] key = arrival.key();
    if (key == null) {
      return Completion.of(
          DeadLetter.of(arrival, "ItemWithoutKey", "an item of a reference needs a record key")
              .to(ReferenceTopology.deadLetters(reference)));
    }
    byte[] value = arrival.value();
    if (value == null) {
      return Completion.of(embedded(arrival, null));
    }
    Document item;
    try {
      item = codec.read(key, value);
    } catch (InvalidDocumentException e) {
      return unusable(arrival, "InvalidItem", String.valueOf(e.getMessage()));
    }
    EmbeddedItem embedded = embedder.embed(new String(key, StandardCharsets.UTF_8), item);
    return embedded.isUsable()
        ? complete(arrival, embedded)
        : unusable(
            arrival,
            "UnusableItem",
            embedded.failures().getOrDefault(EmbeddedItem.ITEM, "nothing to embed"));
  }

  private Completion complete(InputRecord arrival, EmbeddedItem item) {
    List<OutputRecord> outputs = new ArrayList<>();
    outputs.add(embedded(arrival, EmbeddedItemCodec.LAYOUT.toBytes(item)));
    for (Map.Entry<String, String> failure : new TreeMap<>(item.failures()).entrySet()) {
      outputs.add(
          DeadLetter.of(
                  arrival,
                  "ItemNotEmbedded",
                  "embedder %s: %s".formatted(failure.getKey(), failure.getValue()))
              .to(ReferenceTopology.deadLetters(reference)));
    }
    return new Completion(outputs);
  }

  private Completion unusable(InputRecord arrival, String kind, String reason) {
    return unusable(
        arrival,
        DeadLetter.of(arrival, kind, reason).to(ReferenceTopology.deadLetters(reference)),
        reason);
  }

  private Completion unusable(InputRecord arrival, OutputRecord letter, String reason) {
    List<OutputRecord> outputs = new ArrayList<>();
    if (arrival.key() != null) {
      outputs.add(
          embedded(arrival, EmbeddedItemCodec.LAYOUT.toBytes(EmbeddedItem.unusable(reason))));
    }
    outputs.add(letter);
    return new Completion(outputs);
  }

  private OutputRecord embedded(InputRecord arrival, byte @Nullable [] value) {
    RecordPosition position =
        new RecordPosition(arrival.topic(), arrival.partition(), arrival.offset());
    return new OutputRecord(
        ReferenceTopology.embedded(reference),
        arrival.key(),
        value,
        List.of(ImmutableHeader.of(Headers.SOURCE, position.toString())),
        Math.max(0, arrival.timestamp()));
  }

  @Override
  public @Nullable String topic(String child) {
    return child.equals(ReferenceTopology.embedded(reference)) ? embedded : null;
  }

  @Override
  public Completion failed(PendingRecord job, Throwable cause) {
    return unusable(
        job.input(),
        DeadLetter.of(job.input(), cause).to(ReferenceTopology.deadLetters(reference)),
        String.valueOf(cause.getMessage()));
  }

  @Override
  public Completion rejected(InputRecord arrival, String reason) {
    return unusable(
        arrival,
        DeadLetter.of(arrival, "OversizedItem", reason)
            .to(ReferenceTopology.deadLetters(reference), 0),
        reason);
  }
}
