package dev.abacus.topology.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.document.Document;
import dev.abacus.topology.model.ExecutionStats;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;

class CheckpointSerializerTest {

  private static Checkpoint random(Random random) {
    List<Document> documents = new ArrayList<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      documents.add(
          Document.empty()
              .with("text", TextNode.valueOf("ü".repeat(random.nextInt(50))))
              .with("n", IntNode.valueOf(random.nextInt())));
    }
    return new Checkpoint(
        random.nextInt(Integer.MAX_VALUE),
        documents,
        documents.size() > 1 || random.nextBoolean(),
        new ExecutionStats(
            random.nextDouble(), random.nextDouble(), random.nextInt(1000), tokens(random)));
  }

  private static TokenCounts tokens(Random random) {
    int input = random.nextInt(1000);
    int output = random.nextInt(1000);
    return new TokenCounts(input, input / 2, output, output / 3, output, input % 3);
  }

  @Test
  void aCheckpointIsReadBackFromItsBytes() {
    Random random = new Random(1);
    for (int i = 0; i < 1000; i++) {
      Checkpoint checkpoint = random(random);
      assertThat(CheckpointSerializer.LAYOUT.read(CheckpointSerializer.LAYOUT.toBytes(checkpoint)))
          .isEqualTo(checkpoint);
    }
  }

  @Test
  void truncatedBytesAreRefused() {
    Random random = new Random(2);
    for (int i = 0; i < 200; i++) {
      byte[] bytes = CheckpointSerializer.LAYOUT.toBytes(random(random));
      byte[] truncated = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      assertThatThrownBy(() -> CheckpointSerializer.LAYOUT.read(truncated))
          .isInstanceOf(SerializationException.class);
    }
  }
}
