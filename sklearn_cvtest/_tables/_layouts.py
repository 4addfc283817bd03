"""The layouts in which people write the results of models, one a row."""

from ._column_names import FOLD, RUN
from ._layout_row import (
    DATASETS,
    EXAMPLES,
    FOLDS,
    PREDICTIONS,
    RUNS,
    SINGLE,
    Layout,
)

FOLDS_OR_EXAMPLES = (
    "One number for each model cannot be tested. Bring the score of each fold or run, "
    "of each test example, or of each of several data sets"
)

GENERAL = (
    Layout(
        "a row for each model and fold",
        FOLDS,
        {"model": "", "fold": ""},
        """\
model,fold,accuracy
forest,0,0.95
forest,1,0.94
tree,0,0.91
tree,1,0.92
""",
        optional=dict.fromkeys(("repeat", "run", "dataset", "n_train", "n_test"), ""),
        without=("example",),
    ),
    Layout(
        "a row for each model and random split",
        FOLDS,
        {"model": "", "run": "", "n_train": "", "n_test": ""},
        """\
model,run,n_train,n_test,accuracy
forest,0,90,10,0.95
forest,1,90,10,0.94
tree,0,90,10,0.91
tree,1,90,10,0.92
""",
        optional={"dataset": ""},
        without=("fold", "example"),
    ),
    Layout(
        "a row for each model and subject, the subjects being folds",
        FOLDS,
        {"model": "", "fold": "subject|subject_id|patient|patient_id|participant"},
        """\
model,subject,accuracy
CSP+LDA,S00,0.71
CSP+LDA,S01,0.64
Riemann,S00,0.75
Riemann,S01,0.66
""",
        is_one_cv=True,
        without=("fold", "run", "repeat", "example", "dataset"),
    ),
    Layout(
        "a row for each model and run on one test set",
        RUNS,
        {"model": "", "run": ""},
        """\
model,seed,test_acc
resnet,0,0.912
resnet,1,0.920
vit,0,0.905
vit,1,0.911
""",
        without=("fold", "example", "dataset", "n_train", "repeat"),
    ),
    Layout(
        "data sets, the mean over runs of each model",
        DATASETS,
        {"model": "", "dataset": "", "run": ""},
        """\
dataset,model,seed,accuracy
iris,mlp,0,0.95
iris,svm,0,0.94
wine,mlp,1,0.91
wine,svm,1,0.92
""",
        without=("fold", "example", "n_train", "repeat"),
        summed="run",
    ),
    Layout(
        "a row for each model and example",
        EXAMPLES,
        {"model": "", "example": ""},
        """\
model,id,correct
old,0,1
old,1,0
new,0,1
new,1,1
""",
        optional={"fold": "", "run": "", "repeat": "", "group": ""},
        without=("dataset",),
    ),
    Layout(
        "a row for each data set and model",
        DATASETS,
        {"model": "", "dataset": ""},
        """\
dataset_name,classifier_name,accuracy
iris,knn,0.95
iris,svm,0.96
wine,knn,0.91
wine,svm,0.95
""",
        without=("fold", "run", "example", "repeat"),
    ),
    Layout(
        "models × folds",
        FOLDS,
        {"model": ""},
        """\
model,fold1,fold2,mean,std
svm,0.86,0.87,0.865,0.007
forest,0.88,0.86,0.87,0.014
knn,0.80,0.81,0.805,0.007
tree,0.79,0.78,0.785,0.007
""",
        optional={"dataset": ""},
        without=("fold", "example", "run"),
        values=f"(?:(?P<metric>.+)_)?{FOLD}",
        spread="fold",
    ),
    Layout(
        "models × runs on one test set",
        RUNS,
        {"model": ""},
        """\
model,seed_0,seed_1
resnet,0.912,0.920
vit,0.905,0.911
mixer,0.899,0.905
mlp,0.799,0.805
""",
        without=("fold", "example", "run", "dataset"),
        values=f"(?:(?P<metric>.+)_)?{RUN}",
        spread="run",
    ),
    Layout(
        "folds × models",
        FOLDS,
        {"fold": ""},
        """\
fold,forest,tree
0,0.95,0.91
1,0.94,0.92
2,0.96,0.90
3,0.95,0.93
""",
        optional={"repeat": "", "n_train": "", "n_test": ""},
        without=("model", "example", "dataset", "run", "y_true"),
        spread="model",
    ),
    Layout(
        "runs on one test set × models",
        RUNS,
        {"run": ""},
        """\
seed,resnet,vit
0,0.95,0.91
1,0.94,0.92
2,0.96,0.90
3,0.95,0.93
""",
        without=("model", "fold", "example", "dataset", "y_true"),
        spread="model",
    ),
    Layout(
        "data sets × models",
        DATASETS,
        {"dataset": ""},
        """\
dataset,knn,svm
iris,0.95,0.96
wine,0.91,0.95
digits,0.97,0.98
glass,0.71,0.72
""",
        without=("model", "fold", "example", "run", "y_true"),
        spread="model",
    ),
    Layout(
        "examples × models",
        EXAMPLES,
        {"example": ""},
        """\
id,old,new
0,1,1
1,0,1
2,1,1
3,0,0
""",
        optional={"group": ""},
        without=("model", "fold", "dataset", "run", "y_true"),
        spread="model",
    ),
    Layout(
        "predictions of models beside the target",
        PREDICTIONS,
        {"y_true": ""},
        """\
id,y_true,rf,svm
0,cat,cat,dog
1,dog,dog,dog
2,cat,cat,cat
3,dog,dog,cat
""",
        optional=dict.fromkeys(("fold", "group", "example"), ""),
        without=("model",),
    ),
    Layout(
        "one number for each model",
        SINGLE,
        {"model": ""},
        """\
Model,Accuracy,AUC,TT (Sec)
Logistic Regression,0.81,0.87,0.3
Random Forest,0.83,0.89,0.8
Naive Bayes,0.77,0.84,0.1
Decision Tree,0.71,0.74,0.1
""",
        without=("fold", "run", "example", "repeat", "dataset"),
        bring=FOLDS_OR_EXAMPLES,
    ),
)
