package dev.abacus.topology.model;

import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.document.Media;
import dev.abacus.schemas.document.Sha256;
import dev.abacus.schemas.kafka.BinaryFields;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The identity of a request: the SHA-256 of all fields that determine its answer. */
public final class RequestHash {

  /** Must change together with the hashed fields, so that old hashes match no new request. */
  private static final int VERSION = 1;

  private RequestHash() {}

  /**
   * The hash of a request, in 64 lower-case hexadecimal digits. It ignores the timeout and the
   * service tier, which do not determine the answer.
   */
  public static String of(ModelRequest request) {
    return Sha256.hex(Sha256.BYTES, BinaryFields.bytes(out -> write(out, request)));
  }

  /** The SHA-256 of a text in UTF-8, in 64 lower-case hexadecimal digits. */
  public static String of(String text) {
    return Sha256.hex(Sha256.BYTES, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void write(DataOutputStream out, ModelRequest request) throws IOException {
    out.writeInt(VERSION);
    BinaryFields.writeText(out, ServiceTier.standard(request.model()));
    BinaryFields.writeText(out, request.system());
    out.writeInt(request.content().size());
    for (Content part : request.content()) {
      write(out, part);
    }
    ResponseSchema schema = request.responseSchema();
    BinaryFields.writeText(out, schema == null ? null : schema.name());
    BinaryFields.writeText(out, schema == null ? null : schema.text());
    ModelRequest.Options options = request.options();
    out.writeDouble(options.temperature());
    out.writeInt(options.maxOutputTokens() == null ? -1 : options.maxOutputTokens());
    out.writeBoolean(options.logprobs());
    if (options.reasoningEffort() != null) {
      // Not written if absent, so that receipts of earlier versions keep their hash.
      BinaryFields.writeText(out, options.reasoningEffort());
    }
  }

  private static void write(DataOutputStream out, Content part) throws IOException {
    switch (part) {
      case Content.Text(String text) -> {
        out.writeByte(1);
        BinaryFields.writeText(out, text);
      }
      case Content.Attachment(Media.Reference(String uri, Media.Kind kind)) -> {
        out.writeByte(2);
        BinaryFields.writeText(out, uri);
        if (kind != Media.Reference.of(uri).kind()) {
          // Not written if the address tells, so that receipts of earlier versions keep their hash.
          BinaryFields.writeText(out, kind.name());
        }
      }
      case Content.Attachment(Media.Content(String mediaType, String base64)) -> {
        out.writeByte(3);
        BinaryFields.writeText(out, mediaType);
        BinaryFields.writeText(out, base64);
      }
    }
  }
}
