package dev.abacus.schemas.file;

import java.io.IOException;
import java.util.List;
import org.apache.pdfbox.contentstream.operator.Operator;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.filter.MissingImageReaderException;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.rendering.PDFRenderer;
import org.apache.pdfbox.rendering.PageDrawer;
import org.apache.pdfbox.rendering.PageDrawerParameters;

/**
 * Renders pages. A page whose image has no decoder (JPEG 2000) is an error: PDFBox would log it,
 * and a model would be asked about an empty page.
 */
final class PageRenderer extends PDFRenderer {

  PageRenderer(PDDocument document) {
    super(document);
    // Decodes large images at the size of the page.
    setSubsamplingAllowed(true);
  }

  @Override
  protected PageDrawer createPageDrawer(PageDrawerParameters parameters) throws IOException {
    return new PageDrawer(parameters) {
      @Override
      protected void operatorException(
          Operator operator, List<COSBase> operands, IOException failure) throws IOException {
        if (failure instanceof MissingImageReaderException) {
          throw failure;
        }
        super.operatorException(operator, operands, failure);
      }
    };
  }
}
