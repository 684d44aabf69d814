from .alignment.anchors import anchors as anchors
from .alignment.links import Alignment as Alignment
from .alignment.links import Link as Link
from .corpora.pair import Pair as Pair
from .edits import Edit as Edit
from .edits import apply_edits as apply_edits
from .edits import word_edits as word_edits
from .errors import AlignmentError as AlignmentError
from .errors import CijieError as CijieError
from .errors import FormatError as FormatError
from .errors import MissingExtraError as MissingExtraError
from .errors import SegmentationError as SegmentationError
from .errors import SegmenterError as SegmenterError
from .evaluation.comparison import Comparison as Comparison
from .evaluation.comparison import Evaluation as Evaluation
from .evaluation.comparison import compare as compare
from .evaluation.comparison import evaluate as evaluate
from .projection import Change as Change
from .projection import Projection as Projection
from .projection import project as project
from .recovery import Recoverer as Recoverer
from .recovery import Recovery as Recovery
from .recovery import recover as recover
from .segmentation import Segmentation as Segmentation
from .segmenters.base import Segmenter as Segmenter
from .similarity.scoring import Weights as Weights

__version__: str
