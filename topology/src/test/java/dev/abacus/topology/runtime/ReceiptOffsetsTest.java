package dev.abacus.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReceiptOffsetsTest {

  @Test
  void theNewestReceiptOfEachRequestIsFound() {
    ReceiptOffsets offsets = new ReceiptOffsets(1 << 20);
    int requests = 300_000;
    for (int i = 0; i < 2 * requests; i++) {
      offsets.put("request " + i % requests, i);
    }
    for (int i = 0; i < requests; i++) {
      assertThat(offsets.find("request " + i)).isEqualTo(requests + i);
    }
    assertThat(offsets.find("another")).isEqualTo(ReceiptOffsets.NONE);
  }

  @Test
  void offsetsFarApartAreKept() {
    ReceiptOffsets offsets = new ReceiptOffsets(1000);
    for (int i = 0; i < 100; i++) {
      offsets.put("request " + i, (long) i << 31);
    }
    offsets.put("of a topic that was created again", 0);
    for (int i = 0; i < 100; i++) {
      assertThat(offsets.find("request " + i)).isEqualTo((long) i << 31);
    }
    assertThat(offsets.find("of a topic that was created again")).isZero();
  }

  @Test
  void atTheBoundTheNewerHalfStays() {
    ReceiptOffsets offsets = new ReceiptOffsets(1000);
    for (int i = 0; i < 10_250; i++) {
      offsets.put("request " + i, i);
    }
    for (int i = 0; i < 10_250 - 1000; i++) {
      assertThat(offsets.find("request " + i)).isEqualTo(ReceiptOffsets.NONE);
    }
    for (int i = 10_250 - 500; i < 10_250; i++) {
      assertThat(offsets.find("request " + i)).isEqualTo(i);
    }
  }
}
