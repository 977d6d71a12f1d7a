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
  void atTheBoundTheNewerHalfStays() {
    ReceiptOffsets offsets = new ReceiptOffsets(1000);
    for (int i = 0; i < 10_250; i++) {
      offsets.put("request " + i, i);
    }
    assertThat(offsets.find("request 9499")).isEqualTo(ReceiptOffsets.NONE);
    assertThat(offsets.find("request 9500")).isEqualTo(9_500);
    assertThat(offsets.find("request 10249")).isEqualTo(10_249);
  }
}
